package dev.quickwater.system;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A shared library that is loaded by its name or path. Never unloaded. Any thread may use it.
public final class NativeLibrary {

  private final String name;
  private final SymbolLookup symbols;

  private NativeLibrary(String name, SymbolLookup symbols) {
    this.name = name;
    this.symbols = symbols;
  }

  /// Loads a library.
  ///
  /// @param name a soname, which the system searches for, or a path
  /// @return null if the system cannot load it
  /// @throws UnsupportedOperationException if native access is not granted
  @SuppressWarnings("restricted")
  public static @Nullable NativeLibrary open(String name) {
    NativeAccess.require();
    try {
      return new NativeLibrary(name, SymbolLookup.libraryLookup(name, Arena.global()));
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  /// The soname or path that the library was loaded by.
  public String name() {
    return name;
  }

  /// True if the library, or one that it depends on, has a symbol.
  public boolean has(String symbol) {
    return symbols.find(symbol).isPresent();
  }

  /// Links a function that takes `arguments` longs and returns a long; see [Linkage].
  ///
  /// @throws UnsupportedOperationException if the function does not exist
  @SuppressWarnings("restricted")
  MethodHandle link(String function, int arguments) {
    Optional<MemorySegment> symbol = symbols.find(function);
    return Linker.nativeLinker()
        .downcallHandle(
            symbol.orElseThrow(() ->
                new UnsupportedOperationException(
                    "the library " + name + " has no function " + function)),
            Linkage.signature(arguments));
  }

  @Override
  public String toString() {
    return name;
  }
}
