package dev.quickwater.testsuite.arch;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Everything is asked of the platform, and what is restricted only by one module.
final class NoBackDoorsTest {

  private static final String SYSTEM = "dev.quickwater.system..";

  /// Caller-sensitive methods that want `--enable-native-access`, and the ways to load a library.
  private static final Set<String> RESTRICTED =
      Set.of(
          "java.lang.foreign.MemorySegment.reinterpret",
          "java.lang.foreign.ValueLayout.withTargetLayout",
          "java.lang.foreign.AddressLayout.withTargetLayout",
          "java.lang.foreign.SymbolLookup.libraryLookup",
          "java.lang.ModuleLayer$Controller.enableNativeAccess",
          "java.lang.System.load",
          "java.lang.System.loadLibrary",
          "java.lang.Runtime.load",
          "java.lang.Runtime.loadLibrary");

  private static DescribedPredicate<AccessTarget> oneOf(String what, Set<String> methods) {
    return DescribedPredicate.describe(
        what, target -> methods.contains(target.getOwner().getName() + "." + target.getName()));
  }

  @Test
  void restrictedMethodsAreCalledBySystemAlone() {
    noClasses()
        .that(not(resideInAPackage(SYSTEM)))
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "the target is restricted",
                access -> oneOf("restricted", RESTRICTED).test(access.getTarget())))
        .check(Classes.ALL);
  }

  @Test
  void theLinkerBelongsToSystem() {
    noClasses()
        .that(not(resideInAPackage(SYSTEM)))
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.lang\\.foreign\\.(Linker|SymbolLookup|FunctionDescriptor).*")
        .check(Classes.ALL);
  }

  @Test
  void noInternalsOfTheJdk() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("sun..", "jdk.internal..", "com.sun..")
        .check(Classes.ALL);
  }

  @Test
  void noNativeMethods() {
    noMethods().should().haveModifier(JavaModifier.NATIVE).check(Classes.ALL);
  }

  @Test
  void nothingIsMadeAccessible() {
    Set<String> openers =
        Set.of(
            "java.lang.reflect.AccessibleObject.setAccessible",
            "java.lang.reflect.AccessibleObject.trySetAccessible",
            "java.lang.reflect.Method.setAccessible",
            "java.lang.reflect.Field.setAccessible",
            "java.lang.reflect.Constructor.setAccessible",
            "java.lang.invoke.MethodHandles.privateLookupIn");
    noClasses()
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "the target opens what is closed",
                access -> oneOf("openers", openers).test(access.getTarget())))
        .check(Classes.ALL);
  }

  @Test
  void systemPropertiesAreReadInOnePlace() {
    Set<String> readers =
        Set.of(
            "java.lang.System.getProperty",
            "java.lang.System.getProperties",
            "java.lang.System.getenv",
            "java.lang.Integer.getInteger",
            "java.lang.Long.getLong",
            "java.lang.Boolean.getBoolean");
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.quickwater.cli..", "dev.quickwater.microbench..", "dev.quickwater.testkit..")
        .and(not(are(nameMatching("dev\\.quickwater\\.system\\.(Settings|Platform)"))))
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "the target reads the environment",
                access -> oneOf("readers", readers).test(access.getTarget())))
        .check(Classes.ALL);
  }

  /// What is static lives as long as the process and is seen by every loop.
  @Test
  void noStaticFieldChanges() {
    fields()
        .that()
        .areStatic()
        .and()
        .areDeclaredInClassesThat()
        .resideOutsideOfPackages("dev.quickwater.microbench..")
        .should()
        .beFinal()
        .check(Classes.ALL);
  }

  private static final DescribedPredicate<JavaClass> SEALED =
      DescribedPredicate.describe("sealed", type -> type.reflect().isSealed());

  @Test
  void transportsAreFinalSealedOrInterfaces() {
    classes()
        .that()
        .resideInAnyPackage(
            "dev.quickwater.io.linux..",
            "dev.quickwater.io.posix.socket..",
            "dev.quickwater.channel.nio..")
        .and()
        .areTopLevelClasses()
        .and()
        .areNotInterfaces()
        .and(not(SEALED))
        .should()
        .haveModifier(JavaModifier.FINAL)
        .orShould()
        .haveSimpleName("package-info")
        .check(Classes.ALL);
  }
}
