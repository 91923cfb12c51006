package dev.quickwater.buffer.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Every order of the atomic steps of stray calls and of the next life of a block, for the form of
/// [Holders] and for a form that adds first and undoes the addition later.
///
/// The steps are a model. [HoldersStress] runs the code itself.
class HoldersStepsTest {

  /// The count of a block, the holders that it should have after the calls that succeeded, and the
  /// number of times that it was freed.
  private record Block(int count, int held, int freed) {
    Block count(int value) {
      return new Block(value, held, freed);
    }

    Next held(int change) {
      return new Next(new Block(count, held + change, freed), null);
    }

    Next freed(int change) {
      return new Next(new Block(count, held + change, freed + 1), null);
    }

    Next refused() {
      return held(0);
    }
  }

  /// The block after a step, and the step that follows it in the same call; null ends the call.
  private record Next(Block block, @Nullable Step step) {}

  private interface Step {
    Next run(Block block);
  }

  // ---- the form of Holders: below 0 is dead ----

  private static final int DEAD = -100;

  private static final Step REVIVE = block -> block.count(1).held(1);

  private static final Step SHARE =
      block -> {
        Block after = block.count(block.count + 1);
        return block.count > 0 ? after.held(1) : after.refused();
      };

  private static final Step RELEASE = block -> new Next(block, releaseFrom(block.count));

  private static Step releaseFrom(int read) {
    return block -> {
      if (read < 0) {
        return block.refused();
      }
      if (block.count != read) {
        return new Next(block, releaseFrom(block.count));
      }
      return read == 1 ? block.count(DEAD).freed(-1) : block.count(read - 1).held(-1);
    };
  }

  // ---- addition and undo: twice the holders, odd is dead ----

  private static final Step ADDING_REVIVE =
      new Step() {
        @Override
        public Next run(Block block) {
          return block.count == 1 ? block.count(2).held(1) : new Next(block, this);
        }
      };

  private static final Step ADDING_SHARE =
      block -> {
        Block after = block.count(block.count + 2);
        return (block.count & 1) == 0 && block.count > 0
            ? after.held(1)
            : new Next(after, undo(-2));
      };

  private static final Step ADDING_RELEASE =
      block -> {
        if (block.count == 2) {
          return block.count(1).freed(-1);
        }
        Block after = block.count(block.count - 2);
        return (block.count & 1) == 0 && block.count > 0
            ? after.held(-1)
            : new Next(after, undo(2));
      };

  private static Step undo(int change) {
    return block ->
        new Next(
            block.count(block.count + change),
            after -> after.count == 0 ? after.count(1).freed(0) : after.refused());
  }

  // ---- all orders ----

  /// The blocks after every order of the steps of the calls.
  private static List<Block> allOrders(Block start, Step... calls) {
    List<Block> ends = new ArrayList<>();
    run(start, List.of(calls), ends);
    return ends;
  }

  private static void run(Block block, List<Step> calls, List<Block> ends) {
    if (calls.isEmpty()) {
      ends.add(block);
    }
    for (int i = 0; i < calls.size(); i++) {
      Next next = calls.get(i).run(block);
      if (next.step == calls.get(i)) {
        continue; // this call waits for another one
      }
      List<Step> others = new ArrayList<>(calls);
      others.remove(i);
      if (next.step != null) {
        others.add(i, next.step);
      }
      run(next.block, others, ends);
    }
  }

  /// What is wrong in any order: the holders that a block has beside those that it should have.
  private static Set<String> faults(List<Block> ends, IntFunction<Integer> holders) {
    Set<String> faults = new TreeSet<>();
    for (Block end : ends) {
      int found = holders.apply(end.count);
      if (found != end.held) {
        faults.add(found + " holders instead of " + end.held + ", freed " + end.freed + " times");
      }
    }
    return faults;
  }

  private static int halfOfEven(int count) {
    return (count & 1) == 0 ? count / 2 : 0;
  }

  @Test
  void strayCallsOfADeadBlockNeverChangeItsNextLife() {
    Block dead = new Block(DEAD, 0, 0);
    List<Block> ends = allOrders(dead, SHARE, RELEASE, SHARE, RELEASE, REVIVE);
    assertTrue(ends.size() > 500, () -> ends.size() + " orders");
    assertEquals(Set.of(), faults(ends, count -> Math.max(count, 0)));
  }

  @Test
  void strayCallsDuringTheLastReleaseNeverChangeTheNextLife() {
    Step releaseAndRevive = then(RELEASE, REVIVE);
    List<Block> ends =
        allOrders(new Block(1, 1, 0), SHARE, RELEASE, SHARE, RELEASE, releaseAndRevive);
    assertTrue(ends.size() > 500, () -> ends.size() + " orders");
    assertEquals(Set.of(), faults(ends, count -> Math.max(count, 0)));
  }

  /// The owner begins the next life if the release freed the block.
  private static Step then(Step release, Step revive) {
    return block -> {
      Next next = release.run(block);
      if (next.step != null) {
        return new Next(next.block, then(next.step, revive));
      }
      return new Next(next.block, next.block.freed > block.freed ? revive : null);
    };
  }

  /// Shows that these orders find the fault of the other form.
  @Test
  void undoneAdditionsFreeTheNextLifeUnderItsHolder() {
    List<Block> ends = allOrders(new Block(1, 0, 0), ADDING_SHARE, ADDING_RELEASE, ADDING_REVIVE);
    Set<String> faults = faults(ends, HoldersStepsTest::halfOfEven);
    assertEquals(Set.of("0 holders instead of 1, freed 1 times"), faults);
  }
}
