package dev.quickwater.microbench.trace;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/// The run that [TraceRecorder] records: our HTTP server under a mixed load over real sockets. Some
/// connections ask for small answers, some for pages of up to 64 KiB, some post up to 200 KiB and
/// get it back.
public final class RecordedRun {

  private static final int CONNECTIONS = 8;
  private static final int REQUESTS = 60;
  private static final String LENGTH = "content-length: ";
  private static final String END_OF_HEAD = "\r\n\r\n";

  private RecordedRun() {}

  /// Runs it; the class loader decides whether it is watched.
  public static void run() throws IOException {
    try (RunningServer server = HttpServer.create(RecordedRun::handle).listen(0)) {
      SplittableRandom random = new SplittableRandom(1);
      List<Socket> sockets = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        sockets.add(new Socket(server.address().getAddress(), server.port()));
      }
      for (int i = 0; i < REQUESTS; i++) {
        // All ask before the first is read, so that their buffers live side by side.
        for (int c = 0; c < CONNECTIONS; c++) {
          ask(sockets.get(c), c, random);
        }
        for (Socket socket : sockets) {
          readResponse(socket.getInputStream());
        }
      }
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static void ask(Socket socket, int kind, SplittableRandom random) throws IOException {
    OutputStream out = socket.getOutputStream();
    if (kind % 4 == 3) {
      byte[] body = new byte[random.nextInt(1, 200 << 10)];
      out.write(head("POST /echo", "Content-Length: " + body.length));
      out.write(body);
    } else {
      int size = kind % 4 == 2 ? random.nextInt(1 << 10, 64 << 10) : random.nextInt(16, 512);
      out.write(head("GET /" + size, "Accept: */*"));
    }
    out.flush();
  }

  private static byte[] head(String line, String field) {
    return (line + " HTTP/1.1\r\nHost: localhost\r\n" + field + END_OF_HEAD)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static void readResponse(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf(END_OF_HEAD) < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the server closed after '" + head + "'");
      }
      head.append((char) next);
    }
    int length = head.toString().toLowerCase(Locale.ROOT).indexOf(LENGTH) + LENGTH.length();
    in.skipNBytes(Long.parseLong(head.substring(length, head.indexOf("\r", length))));
  }

  private static void handle(HttpExchange x) {
    if (x.request().method() == HttpMethod.POST) {
      ByteBuf whole = x.loop().allocator().allocate(256);
      x.onEnd(_ -> whole.release());
      x.requestBody().read(new Collector(x, whole));
    } else {
      int size = Integer.parseInt(x.request().path().substring(1));
      OutgoingBody body = x.respond(ResponseHead.of(HttpStatus.OK).withLength(size));
      body.write(x.loop().allocator().allocate(size).writeBytes(new byte[size]));
      body.end();
    }
  }

  /// Collects a body in one buffer and answers with it.
  private record Collector(HttpExchange x, ByteBuf whole) implements BodyReader {
    @Override
    public void data(ByteBuf bytes) {
      whole.writeBytes(bytes);
      bytes.release();
      x.requestBody().read(this);
    }

    @Override
    public void end(HttpHeaders trailers) {
      OutgoingBody body =
          x.respond(ResponseHead.of(HttpStatus.OK).withLength(whole.readableBytes()));
      body.write(whole.share());
      body.end();
    }
  }
}
