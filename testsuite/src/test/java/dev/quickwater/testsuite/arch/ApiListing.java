package dev.quickwater.testsuite.arch;

import dev.quickwater.common.Experimental;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The signatures of one class that others can use, a line each.
final class ApiListing {

  private ApiListing() {}

  static boolean isVisible(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
      if (!isVisible(each.getModifiers()) || each.isAnonymousClass()) {
        return false;
      }
    }
    return !type.getSimpleName().equals("package-info");
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  static String of(Class<?> type) {
    Stream<String> members =
        Stream.of(
                Arrays.stream(type.getDeclaredFields())
                    .filter(ApiListing::isListed)
                    .map(ApiListing::of),
                Arrays.stream(type.getDeclaredConstructors())
                    .filter(ApiListing::isListed)
                    .map(ApiListing::of),
                methods(type).filter(method -> isListed(type, method)).map(ApiListing::of))
            .flatMap(each -> each)
            .distinct()
            .sorted()
            .map(line -> "  " + line + "\n");
    return head(type) + "\n" + members.collect(Collectors.joining());
  }

  /// The declared methods, and those of supertypes that others cannot name.
  private static Stream<Method> methods(Class<?> type) {
    Stream<Class<?>> parents =
        Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()));
    return Stream.concat(
        Arrays.stream(type.getDeclaredMethods()),
        parents
            .filter(parent -> parent.getName().startsWith("dev.quickwater") && !isVisible(parent))
            .flatMap(ApiListing::methods));
  }

  /// A record's and an enum's own methods are the same in each.
  private static boolean isListed(Class<?> type, Method method) {
    boolean implied =
        type.isRecord() && Set.of("equals", "hashCode", "toString").contains(method.getName())
            || type.isEnum() && Set.of("values", "valueOf").contains(method.getName());
    return !implied && isListed(method);
  }

  private static boolean isListed(Member member) {
    return isVisible(member.getModifiers()) && !member.isSynthetic();
  }

  private static String head(Class<?> type) {
    StringBuilder head = new StringBuilder(mark(type)).append(modifiers(type));
    String name = type.getName().substring(type.getPackageName().length() + 1);
    head.append(kind(type)).append(' ').append(name.replace('$', '.'));
    head.append(variables(type.getTypeParameters()));
    AnnotatedType parent = type.getAnnotatedSuperclass();
    if (parent != null && parent.getType() != Object.class && !type.isRecord() && !type.isEnum()) {
      head.append(" extends ").append(text(parent));
    }
    if (type.getInterfaces().length > 0) {
      head.append(type.isInterface() ? " extends " : " implements ");
      head.append(join(type.getAnnotatedInterfaces()));
    }
    return head.toString();
  }

  static String mark(AnnotatedElement element) {
    return element.isAnnotationPresent(Experimental.class) ? "@Experimental " : "";
  }

  private static String modifiers(Class<?> type) {
    String sealed = type.isSealed() ? "sealed " : "";
    int shown = Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL;
    if (!type.isInterface()) {
      shown |= Modifier.ABSTRACT;
    }
    String modifiers = Modifier.toString(type.getModifiers() & shown);
    return sealed + (modifiers.isEmpty() ? "" : modifiers + " ");
  }

  private static String kind(Class<?> type) {
    if (type.isAnnotation()) {
      return "@interface";
    }
    if (type.isInterface()) {
      return "interface";
    }
    return type.isRecord() ? "record" : type.isEnum() ? "enum" : "class";
  }

  private static String of(Field field) {
    return modifiers(field) + text(field.getAnnotatedType()) + " " + field.getName();
  }

  private static String of(Constructor<?> made) {
    return modifiers(made) + "<init>" + rest(made);
  }

  private static String of(Method method) {
    String isDefault = method.isDefault() ? "default " : "";
    String variables = variables(method.getTypeParameters());
    return isDefault
        + modifiers(method)
        + (variables.isEmpty() ? "" : variables + " ")
        + text(method.getAnnotatedReturnType())
        + " "
        + method.getName()
        + rest(method);
  }

  private static String rest(Executable executable) {
    AnnotatedType[] thrown = executable.getAnnotatedExceptionTypes();
    return "("
        + join(executable.getAnnotatedParameterTypes())
        + ")"
        + (thrown.length == 0 ? "" : " throws " + join(thrown));
  }

  private static String modifiers(Member member) {
    List<AccessFlag> shown =
        List.of(AccessFlag.PROTECTED, AccessFlag.STATIC, AccessFlag.ABSTRACT, AccessFlag.FINAL);
    boolean inInterface = member.getDeclaringClass().isInterface();
    return member.accessFlags().stream()
        .filter(flag -> shown.contains(flag) && !(inInterface && flag == AccessFlag.ABSTRACT))
        .sorted()
        .map(flag -> flag.name().toLowerCase(java.util.Locale.ROOT) + " ")
        .collect(Collectors.joining());
  }

  private static String variables(TypeVariable<?>[] variables) {
    return variables.length == 0
        ? ""
        : Arrays.stream(variables)
            .map(each -> each.getName() + bounds(each))
            .collect(Collectors.joining(", ", "<", ">"));
  }

  private static String bounds(TypeVariable<?> variable) {
    String bounds =
        Arrays.stream(variable.getAnnotatedBounds())
            .map(ApiListing::text)
            .filter(bound -> !bound.equals("Object"))
            .collect(Collectors.joining(" & "));
    return bounds.isEmpty() ? "" : " extends " + bounds;
  }

  private static String join(AnnotatedType[] types) {
    return Arrays.stream(types).map(ApiListing::text).collect(Collectors.joining(", "));
  }

  private static String text(AnnotatedType type) {
    return type.toString()
        .replace("@org.jspecify.annotations.Nullable()", "@Nullable")
        .replaceAll(
            "\\b(java\\.lang|java\\.util(\\.function)?|dev\\.quickwater[a-z0-9.]*)\\.(?=[A-Z])",
            "");
  }
}
