package dev.quickwater.http;

import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.Channel;
import dev.quickwater.common.Promise;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One request and its response, in any version of HTTP.
///
/// - **Thread:** everything is for the channel's loop and throws [IllegalStateException] elsewhere;
///   a program that answers from another thread hands the answer to `channel().loop()`.
/// - **The response** is one [#respond] with a whole response, or `respond` with a head, then
///   [#write], then [#end]. Doing it in another order, or twice, throws [IllegalStateException].
/// - **The request's body** is delivered once [#read] was called; until then the peer is held back.
///   A reader goes on after the response has ended, unless it is paused: a body that is not being
///   read then is discarded up to a limit, and its reader hears nothing more.
/// - **Failure:** when the connection or the peer gives up before the response has ended, or while
///   the body is still being read, [#onAbort] is called, at most once; after it, what is written is
///   released and ignored, and the reader hears nothing more.
public interface HttpExchange {

  /// The head of the request.
  HttpRequest request();

  /// The channel that carries exactly this exchange at the moment.
  Channel channel();

  /// Asks for the body; sends 100 (Continue) when the peer waits for it. Once. What has come in
  /// already may be delivered before this returns.
  void read(BodyReader reader);

  /// No more of the body for now; the peer is held back. After the response has ended: no more of
  /// it at all.
  void pause();

  /// Goes on after [#pause].
  void resume();

  /// Sends an informational response (1xx other than 101); only before the response.
  void inform(HttpResponse informational);

  /// Sends a whole response, or the head of one.
  default void respond(HttpResponse response) {
    respond(response, null);
  }

  /// Sends a whole response, or the head of one; `promise` ends when it was handed to the kernel,
  /// or failed, and cannot be cancelled. The content is taken over, whatever comes of it.
  ///
  /// @throws IllegalArgumentException for an informational status, or a field that is the engine's
  /// @throws IllegalStateException if a response was begun, or the content was used before
  void respond(HttpResponse response, @Nullable Promise<Void> promise);

  /// Sends some of the body, which is taken over.
  default void write(Payload body) {
    write(body, null);
  }

  /// Sends some of the body, which is taken over; `promise` as for [#respond].
  ///
  /// @throws IllegalStateException if that is more than the announced length; the exchange is reset
  ///   then
  void write(Payload body, @Nullable Promise<Void> promise);

  /// Ends the body.
  ///
  /// @throws IllegalStateException if that is less than the announced length; the exchange is reset
  ///   then
  default void end() {
    end(HttpHeaders.EMPTY);
  }

  /// Ends the body with trailers, which only a body of unknown length can have.
  void end(HttpHeaders trailers);

  /// Sends what was written without waiting for the end of the current turn.
  void flush();

  /// False while more waits to be sent than the high water mark.
  boolean isWritable();

  /// Calls `action` whenever [#isWritable] becomes true again while a response is under way; as a
  /// task of its own, never inside of another call.
  void onWritable(Runnable action);

  /// Breaks the exchange off: the peer sees that the response is not complete.
  void reset();

  /// Calls `action` when the exchange is broken off by anything but [#reset]; never after its end.
  void onAbort(Consumer<Throwable> action);
}
