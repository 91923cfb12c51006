package dev.quickwater.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Exempts a test, or the tests of a class, from the check for leaks.
///
/// For a single handle that must outlive the test, call
/// [forget][dev.quickwater.common.LeakTracker#forget] instead.
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface MayLeak {

  /// The reason, for readers of the test.
  String value();
}
