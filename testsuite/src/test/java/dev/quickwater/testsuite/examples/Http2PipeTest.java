package dev.quickwater.testsuite.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.examples.Http2Pipe;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http2.Http2ClientSession;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class Http2PipeTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static Future<byte[]> post(EventLoop loop, Http2ClientSession client, int size) {
    Promise<byte[]> answer = loop.newPromise();
    RequestHead head =
        RequestHead.builder(HttpMethod.POST, "http://pipe/").contentLength(size).build();
    client
        .open(head)
        .onComplete(opened -> {
          ClientExchange x = opened.value();
          x.requestBody().write(ByteBuf.wrap(new byte[size]));
          x.requestBody().end();
          x.readAll(1 << 10)
              .onComplete(body -> {
                if (body.isSuccess()) {
                  answer.trySuccess(body.value());
                } else {
                  answer.tryFailure(new IllegalStateException(body.cause()));
                }
              });
        });
    return answer;
  }

  @Test
  void requestsPassThroughStreams() throws Exception {
    PipedInputStream toServer = new PipedInputStream();
    PipedOutputStream fromClient = new PipedOutputStream(toServer);
    PipedInputStream toClient = new PipedInputStream();
    PipedOutputStream fromServer = new PipedOutputStream(toClient);
    HttpHandler length =
        x -> x.respond(x.readAll(1 << 22).map(body -> HttpResponse.text(body.length + " bytes")));
    try (EventLoopGroup group = EventLoopGroup.create(new LoopSettings(2, "nio"))) {
      EventLoop near = group.next();
      Http2Pipe.serve(group.next(), length, toServer, fromServer);
      Http2ClientSession client = Http2Pipe.connect(near, toClient, fromClient);
      List<Future<byte[]>> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        answers.add(post(near, client, 100_000));
      }
      for (Future<byte[]> answer : answers) {
        assertEquals("100000 bytes", new String(answer.await(PATIENCE), StandardCharsets.US_ASCII));
      }
      client.connection().drain();
      client.connection().closed().await(PATIENCE);
    }
  }
}
