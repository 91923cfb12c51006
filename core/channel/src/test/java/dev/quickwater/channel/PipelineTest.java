package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Handlers that come and go while events are under way.
final class PipelineTest {

  private final List<String> log = new ArrayList<>();
  private final EmbeddedChannel embedded = new EmbeddedChannel();
  private final Pipeline pipeline = embedded.channel().pipeline();

  @AfterEach
  void close() {
    embedded.close();
  }

  /// Notes user events under a name, does something, and passes them on.
  private class Noting implements ChannelHandler {
    final String name;

    Noting(String name) {
      this.name = name;
    }

    void during(HandlerContext context) {}

    @Override
    public void userEvent(HandlerContext context, Object event) {
      log.add(name);
      during(context);
      context.fireUserEvent(event);
    }

    @Override
    public void handlerAdded(HandlerContext context) {
      log.add("+" + name);
    }

    @Override
    public void handlerRemoved(HandlerContext context) {
      log.add("-" + name);
    }
  }

  private void fire(String... expected) {
    log.clear();
    pipeline.fireUserEvent("event");
    assertEquals(List.of(expected), log);
  }

  @Test
  void handlersMeetEventsInTheirOrder() {
    Noting b = new Noting("b");
    pipeline.addLast(b).addFirst(new Noting("a")).addLast(new Noting("d"));
    pipeline.addAfter(b, null, new Noting("c")).addBefore(b, "named", new Noting("ab"));
    fire("a", "ab", "b", "c", "d");
    pipeline.remove("named");
    pipeline.remove(b);
    fire("a", "c", "d");
  }

  @Test
  void removingItselfDuringAnEventPassesItOn() {
    pipeline.addLast(
        new Noting("a") {
          @Override
          void during(HandlerContext context) {
            pipeline.remove(this);
          }
        });
    pipeline.addLast(new Noting("b"));
    fire("a", "-a", "b");
    fire("b");
  }

  @Test
  void removingTheNextDuringAnEventSkipsIt() {
    Noting b = new Noting("b");
    pipeline.addLast(
        new Noting("a") {
          @Override
          void during(HandlerContext context) {
            if (pipeline.find(b.getClass()) != null && log.size() == 1) {
              pipeline.remove(b);
            }
          }
        });
    pipeline.addLast(b);
    pipeline.addLast(new Noting("c"));
    fire("a", "-b", "c");
  }

  @Test
  void removingItselfAndTheNextDuringAnEvent() {
    Noting b = new Noting("b");
    pipeline.addLast(
        new Noting("a") {
          @Override
          void during(HandlerContext context) {
            pipeline.remove(this);
            pipeline.remove(b);
          }
        });
    pipeline.addLast(b);
    pipeline.addLast(new Noting("c"));
    fire("a", "-a", "-b", "c");
  }

  @Test
  void addedBehindDuringAnEventSeesItAndAddedBeforeDoesNot() {
    pipeline.addLast(
        new Noting("a") {
          @Override
          void during(HandlerContext context) {
            if (pipeline.find(Late.class) == null) {
              pipeline.addAfter(this, null, new Late());
              pipeline.addFirst(new Noting("first"));
            }
          }
        });
    fire("a", "+late", "+first", "late");
    fire("first", "a", "late");
  }

  private final class Late extends Noting {
    Late() {
      super("late");
    }
  }

  @Test
  void replacingItselfHandsTheEventToTheSuccessor() {
    pipeline.addLast(
        new Noting("a") {
          @Override
          void during(HandlerContext context) {
            pipeline.replace(this, null, new Noting("b"));
          }
        });
    pipeline.addLast(new Noting("c"));
    fire("a", "+b", "-a", "b", "c");
    fire("b", "c");
  }

  @Test
  void whatIsNotThereIsAnError() {
    Noting stranger = new Noting("x");
    assertThrows(IllegalArgumentException.class, () -> pipeline.remove(stranger));
    assertThrows(IllegalArgumentException.class, () -> pipeline.remove("nobody"));
    assertThrows(
        IllegalArgumentException.class, () -> pipeline.addBefore(stranger, null, new Noting("y")));
    assertNull(pipeline.find(Noting.class));
  }

  @Test
  void closingRemovesTheLastFirstAndTakesNoMore() {
    pipeline.addLast(new Noting("a")).addLast(new Noting("b"));
    log.clear();
    embedded.channel().close();
    assertEquals(List.of(), log, "the caller may be a handler");
    embedded.runTasks();
    assertEquals(List.of("-b", "-a"), log);
    assertThrows(IllegalStateException.class, () -> pipeline.addLast(new Noting("c")));
  }

  @Test
  void handlerThatRemovesItselfWhileItIsAddedAndThrowsLeavesOnce() {
    Noting before = new Noting("before");
    pipeline.addLast(before);
    log.clear();
    pipeline.addLast(
        new Noting("x") {
          @Override
          public void handlerAdded(HandlerContext context) {
            pipeline.remove(this);
            throw new IllegalStateException("on purpose");
          }
        });
    assertThrows(IllegalStateException.class, embedded::runTasks);
    assertEquals(List.of("-x", "-before"), log, "the failure closes the channel");
  }

  @Test
  void contextHasItsPlace() {
    Noting a = new Noting("a");
    HandlerContext[] seen = new HandlerContext[1];
    pipeline.addLast(
        new ChannelHandler() {
          @Override
          public void userEvent(HandlerContext context, Object event) {
            seen[0] = context;
          }
        });
    pipeline.addFirst(a);
    pipeline.fireUserEvent("x");
    assertSame(embedded.channel(), seen[0].channel());
    assertSame(pipeline, seen[0].pipeline());
    assertFalse(seen[0].handler() instanceof Noting);
  }

  @Test
  void eventThatNoHandlerTakesIsClosed() {
    boolean[] closed = new boolean[1];
    pipeline.fireUserEvent((AutoCloseable) () -> closed[0] = true);
    assertEquals(true, closed[0]);
  }

  @Test
  void messageThatNoHandlerTakesIsReleased() throws Exception {
    try (InVmPair pair = new InVmPair(true, ChannelSettings.DEFAULT, new ChannelHandler() {})) {
      ByteBuf message = ByteBuf.utf8("x");
      pair.connect(new ChannelHandler() {}).pipeline().fireChannelRead(message);
      assertFalse(message.isLive());
    }
  }
}
