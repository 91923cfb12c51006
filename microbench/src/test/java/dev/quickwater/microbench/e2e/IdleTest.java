package dev.quickwater.microbench.e2e;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.microbench.command.UsageException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdleTest {

  @ParameterizedTest
  @ValueSource(strings = {"5000", "5000,100", "100,100", "1,2,3"})
  void slopeNeedsTwoCountsInOrder(String counts) {
    UsageException refused =
        assertThrows(UsageException.class, () -> Idle.run(List.of("--connections", counts)));
    assertTrue(refused.getMessage().contains("smaller first"), refused.getMessage());
  }
}
