package dev.quickwater.examples;

import dev.quickwater.http.HttpStatus;
import dev.quickwater.web.BodyCodec;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Values as bodies: `POST /average` receives a JSON array of numbers and responds with their
/// average. A codec for other values would use a JSON library.
public final class Average {

  private static final int MAX_BODY = 64 << 10;

  // @start region=codec
  static final BodyCodec<double[]> NUMBERS =
      new BodyCodec<>() {
        @Override
        public String contentType() {
          return "application/json";
        }

        @Override
        public double[] decode(byte[] body) {
          String text = new String(body, StandardCharsets.UTF_8).strip();
          if (!text.startsWith("[") || !text.endsWith("]")) {
            throw new IllegalArgumentException("expected an array of numbers");
          }
          String[] numbers = text.substring(1, text.length() - 1).split(",", -1);
          return Arrays.stream(numbers).mapToDouble(Double::parseDouble).toArray();
        }

        @Override
        public byte[] encode(double[] value) {
          return Arrays.toString(value).getBytes(StandardCharsets.UTF_8);
        }
      };

  // @end

  private Average() {}

  /// Listens on the port in the first argument.
  public static void main(String[] arguments) {
    RunningServer server = HttpServer.create(routes()).listen(Integer.parseInt(arguments[0]));
    System.out.println("listening on port " + server.port());
  }

  /// The route.
  public static Routes routes() {
    // @start region=route
    return new Routes()
        .post(
            "/average",
            x ->
                x.respond(
                    NUMBERS
                        .read(x, MAX_BODY)
                        .map(numbers -> NUMBERS.response(HttpStatus.OK, average(numbers)))));
    // @end

  }

  private static double[] average(double[] numbers) {
    return new double[] {Arrays.stream(numbers).average().orElse(0)};
  }
}
