package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http2.ErrorCode;
import dev.quickwater.http2.FrameWriter;
import dev.quickwater.http2.Frames;
import dev.quickwater.http2.HeaderBlockEncoder;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
import dev.quickwater.web.RunningServer;
import org.junit.jupiter.api.Test;

/// A client that is made of the exported frame codec alone talks to a server.
final class FrameCodecTest {

  private static RunningServer server() {
    return HttpServer.create(x ->
            x.respond(
                x.readAll(1 << 20)
                    .map(body -> HttpResponse.of(HttpStatus.OK, x.request().headers(), body))))
        .with(HttpServerSettings.DEFAULT.withLoops(new LoopSettings(1, "auto")))
        .listen(0);
  }

  private static void post(HeaderBlockEncoder encoder, ByteBuf out) {
    encoder.pseudo(out, ":method", "POST");
    encoder.pseudo(out, ":scheme", "http");
    encoder.pseudo(out, ":authority", "server.test");
    encoder.pseudo(out, ":path", "/echo");
    encoder.fields(out, HttpHeaders.of("x-note", "a"));
  }

  @Test
  void requestsAreAnsweredWithTheirBodies() throws Exception {
    try (RunningServer server = server();
        FrameClient client = new FrameClient(server.port())) {
      client.await("settings");
      client.send(FrameWriter::settingsAck);
      for (int stream = 1; stream < 9; stream += 2) {
        client.sendHeaders(stream, false, FrameCodecTest::post);
        int id = stream;
        client.send(out -> {
          FrameWriter.data(out, id, 5, true);
          out.writeAscii("hello");
        });
        String head = client.await("headers " + stream);
        assertTrue(head.contains(":status: 200"), head);
        assertTrue(head.contains("x-note: a"), head);
        assertEquals("data " + stream + " hello end", client.await("data"));
      }
    }
  }

  @Test
  void controlFramesAreAnswered() throws Exception {
    try (RunningServer server = server();
        FrameClient client = new FrameClient(server.port())) {
      client.await("settings ack");
      client.send(out -> FrameWriter.ping(out, 42, false));
      assertEquals("ping ack 42", client.await("ping"));
      client.sendHeaders(1, false, FrameCodecTest::post);
      client.send(out -> {
        FrameWriter.windowUpdate(out, 1, 1000);
        FrameWriter.reset(out, 1, ErrorCode.CANCEL);
        FrameWriter.ping(out, 43, false);
      });
      assertEquals("ping ack 43", client.await("ping"));
    }
  }

  @Test
  void malformedMessageIsAnErrorOfItsStream() throws Exception {
    try (RunningServer server = server();
        FrameClient client = new FrameClient(server.port())) {
      client.sendHeaders(
          1,
          true,
          (encoder, out) -> {
            post(encoder, out);
            encoder.unchecked(out, "Upper", "a");
          });
      assertEquals("reset 1 PROTOCOL_ERROR", client.await("reset"));
      client.sendHeaders(3, true, FrameCodecTest::post);
      assertTrue(client.await("headers 3").contains(":status: 200"));
    }
  }

  @Test
  void malformedFrameIsAnErrorOfTheConnection() throws Exception {
    try (RunningServer server = server();
        FrameClient client = new FrameClient(server.port())) {
      client.send(out -> FrameWriter.header(out, 0, Frames.PING, 0, 0));
      String last = client.await("goaway");
      assertTrue(last.startsWith("goaway 0 FRAME_SIZE_ERROR"), last);
    }
  }
}
