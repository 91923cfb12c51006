package dev.quickwater.system;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.Collections;
import java.util.List;

/// A function of a [NativeLibrary] that is selected when the program runs. All arguments and the
/// result are `long`; see [Linkage].
///
/// - **Kept in a `static final` field**, whose initialisation cannot fail, because the function is
///   linked later. A library that is missing therefore never makes a class unusable.
/// - **A record**, because the JVM treats the components of a record as constants: a call of a
///   function in a `static final` field is compiled to a direct call.
/// - **Order:** [#link] must happen before each call (JLS 17.4.5). The caller publishes the library
///   safely.
///
/// @param names the names of the function, of which the first one that exists is linked
/// @param arguments the number of arguments
/// @param site the linked function
/// @param invoker calls the target of `site`
public record NativeFunction(
    List<String> names, int arguments, MutableCallSite site, MethodHandle invoker) {

  private static final MethodHandle UNLINKED = unlinked();

  /// A function that is not linked.
  public static NativeFunction of(int arguments, String... names) {
    List<String> all = List.of(names);
    List<Class<?>> longs = Collections.nCopies(arguments, long.class);
    MethodHandle target = MethodHandles.dropArguments(UNLINKED.bindTo(all), 0, longs);
    var site = new MutableCallSite(target);
    return new NativeFunction(all, arguments, site, site.dynamicInvoker());
  }

  private static MethodHandle unlinked() {
    try {
      return MethodHandles.lookup()
          .findStatic(
              NativeFunction.class, "notLinked", MethodType.methodType(long.class, List.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("NativeFunction.notLinked", e);
    }
  }

  // called through UNLINKED
  @SuppressWarnings("UnusedMethod")
  private static long notLinked(List<String> names) {
    throw new IllegalStateException("the function " + names + " is not linked");
  }

  /// Links the function.
  ///
  /// @throws UnsupportedOperationException if the library has none of the names
  public void link(NativeLibrary library) {
    String name = names.stream().filter(library::has).findFirst().orElse(names.getFirst());
    site.setTarget(library.link(name, arguments));
  }

  /// Calls the function without arguments.
  public long call() {
    try {
      return (long) invoker.invokeExact();
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// Calls the function with one argument.
  public long call(long a) {
    try {
      return (long) invoker.invokeExact(a);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// Calls the function with two arguments.
  public long call(long a, long b) {
    try {
      return (long) invoker.invokeExact(a, b);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// Calls the function with three arguments.
  public long call(long a, long b, long c) {
    try {
      return (long) invoker.invokeExact(a, b, c);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// Calls the function with four arguments.
  public long call(long a, long b, long c, long d) {
    try {
      return (long) invoker.invokeExact(a, b, c, d);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// Calls the function with five arguments.
  public long call(long a, long b, long c, long d, long e) {
    try {
      return (long) invoker.invokeExact(a, b, c, d, e);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// A handle itself throws only unchecked exceptions, for example if memory runs out.
  private static RuntimeException unexpected(Throwable t) {
    return switch (t) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> throw new AssertionError(t);
    };
  }
}
