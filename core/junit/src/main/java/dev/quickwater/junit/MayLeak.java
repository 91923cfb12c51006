package dev.quickwater.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// What this test, or the tests of this class, leave unreleased is not looked at.
///
/// For a single handle that is meant to live on, call
/// [forget][dev.quickwater.common.LeakTracker#forget] with it instead.
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface MayLeak {

  /// Why, for people.
  String value();
}
