package dev.quickwater.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/// A test of this class that leaks a tracked handle, such as a buffer, fails; see [LeakExtension].
///
/// The class runs alone even where tests run in parallel: the tracker counts for the whole process,
/// so that another test's buffer would be taken for this one's.
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(LeakExtension.class)
@Isolated("what is tracked meanwhile is taken to be of this class")
public @interface NoLeaks {

  /// Milliseconds that handles which other threads hold have to be released after a test.
  long graceMillis() default LeakExtension.GRACE_MILLIS;
}
