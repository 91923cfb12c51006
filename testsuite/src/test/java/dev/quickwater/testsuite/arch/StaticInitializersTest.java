package dev.quickwater.testsuite.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// No static initialiser allocates a buffer: it would meet the memory limit one day, and its class
/// could never be used again in that process.
final class StaticInitializersTest {

  private static final List<String> ALLOCATION =
      List.of("allocate", "allocateAligned", "allocateHeap", "copyOf");

  private static boolean allocates(JavaCall<?> call) {
    return call.getTargetOwner().getPackageName().equals("dev.quickwater.buffer")
        && ALLOCATION.contains(call.getName());
  }

  /// The first allocation that `unit` reaches by calls outside lambdas, which run later.
  private static Stream<String> allocations(JavaCodeUnit unit, Set<JavaCodeUnit> seen) {
    if (!seen.add(unit)) {
      return Stream.empty();
    }
    return unit.getCallsFromSelf().stream()
        .filter(call -> !call.isDeclaredInLambda())
        .flatMap(call ->
            allocates(call)
                ? Stream.of(call.getDescription())
                : call.getTarget().resolveMember().stream()
                    .filter(JavaCodeUnit.class::isInstance)
                    .map(JavaCodeUnit.class::cast)
                    .filter(next -> next.getOwner().getPackageName().startsWith("dev.quickwater"))
                    .flatMap(next -> allocations(next, seen)));
  }

  private static Set<String> allocations(Stream<JavaClass> classes) {
    Set<String> found = new TreeSet<>();
    classes.forEach(each ->
        each.getStaticInitializer()
            .ifPresent(unit -> allocations(unit, new HashSet<>()).forEach(found::add)));
    return found;
  }

  @Test
  void staticInitializersAllocateNoBuffer() {
    assertEquals(
        Set.of(),
        allocations(
            Classes.ALL.stream()
                .filter(each -> !each.getPackageName().startsWith("dev.quickwater.microbench"))));
  }

  @Test
  void anAllocationBehindAConstructorIsSeen() {
    JavaClass bad =
        new com.tngtech.archunit.core.importer.ClassFileImporter()
            .importPackages("dev.quickwater")
            .get(Allocating.class);
    assertTrue(!allocations(Stream.of(bad)).isEmpty());
  }

  private static final class Allocating {
    static final Allocating INSTANCE = new Allocating();
    final Object buffer = dev.quickwater.buffer.ByteBufAllocator.shared().allocate(1);
  }
}
