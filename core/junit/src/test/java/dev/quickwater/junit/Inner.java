package dev.quickwater.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Tests for [Outcome] to run; skipped by whoever else finds them.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Inner.Condition.class)
@interface Inner {

  String SWITCH = "quickwater.inner";

  /// Reads [#SWITCH].
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return context.getConfigurationParameter(SWITCH).isPresent()
          ? ConditionEvaluationResult.enabled("inside a run")
          : ConditionEvaluationResult.disabled("for runs inside of a test");
    }
  }
}
