package dev.quickwater.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/// Makes each test of the class fail that leaks a tracked handle, such as a buffer; see
/// [LeakExtension].
///
/// The class runs alone even if tests run in parallel: handles are counted for the whole process,
/// and a buffer of another test would count as a leak of this class.
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(LeakExtension.class)
@Isolated("what is tracked meanwhile is taken to be of this class")
public @interface NoLeaks {

  /// The milliseconds in which other threads must release their handles after a test; -1 for the
  /// configured time, see [LeakExtension].
  long graceMillis() default -1;
}
