package dev.quickwater.microbench.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The header blocks of one direction of a connection, in their order.
public enum Story {
  /// A browser loads a page of twelve resources, with cookies.
  BROWSER {
    @Override
    List<List<Map.Entry<String, String>>> blocks() {
      List<List<Map.Entry<String, String>>> blocks = new ArrayList<>();
      blocks.add(browser("/", "document", "navigate", "text/html,application/xhtml+xml,*/*;q=0.8"));
      blocks.add(browser("/assets/site-4f2a9c.css", "style", "no-cors", "text/css,*/*;q=0.1"));
      for (String script : List.of("vendor-0c71be", "runtime-91d3aa", "page-home-77e0f1")) {
        blocks.add(browser("/assets/" + script + ".js", "script", "no-cors", "*/*"));
      }
      for (int i = 1; i <= 5; i++) {
        String path = "/media/2026/11/photo-" + 7919 * i + ".webp?w=640&q=75";
        blocks.add(browser(path, "image", "no-cors", "image/avif,image/webp,*/*;q=0.8"));
      }
      blocks.add(browser("/api/v2/session", "empty", "cors", "application/json"));
      blocks.add(browser("/api/v2/feed?cursor=0&limit=20", "empty", "cors", "application/json"));
      return blocks;
    }
  },

  /// The responses to [#BROWSER].
  RESPONSES {
    @Override
    List<List<Map.Entry<String, String>>> blocks() {
      List<List<Map.Entry<String, String>>> blocks = new ArrayList<>();
      blocks.add(
          fields(
              """
              :status 200
              server edge/2.14
              date Sun, 22 Nov 2026 10:15:30 GMT
              content-type text/html; charset=utf-8
              cache-control private, no-store
              content-length 48213
              set-cookie sid=7c1f0a9de2; Path=/; Secure; HttpOnly; SameSite=Lax
              strict-transport-security max-age=63072000; includeSubDomains
              x-content-type-options nosniff
              content-security-policy default-src 'self'; img-src 'self' https://media.example.com
              vary Accept-Encoding
              """));
      for (int i = 1; i <= 9; i++) {
        blocks.add(
            fields(
                """
                :status 200
                server edge/2.14
                date Sun, 22 Nov 2026 10:15:%d GMT
                content-type %s
                cache-control public, max-age=31536000, immutable
                content-length %d
                etag "%x-%x"
                last-modified Tue, 17 Nov 2026 08:%d:00 GMT
                accept-ranges bytes
                x-content-type-options nosniff
                age %d
                """
                    .formatted(
                        30 + i / 5,
                        i < 2 ? "text/css" : i < 5 ? "text/javascript" : "image/webp",
                        9973 * i,
                        104_729 * i,
                        15_485_863 * i,
                        10 + i,
                        37 * i)));
      }
      for (int i = 0; i < 2; i++) {
        blocks.add(
            fields(
                """
                :status 200
                server edge/2.14
                date Sun, 22 Nov 2026 10:15:32 GMT
                content-type application/json
                cache-control no-cache
                content-length %d
                x-request-id 0b9d2c%d1-77aa-4f0e-9d3e-51c6b2a7e9f%d
                x-content-type-options nosniff
                """
                    .formatted(512 + 4099 * i, i, i)));
      }
      return blocks;
    }
  },

  /// Unary calls of a gRPC client.
  GRPC {
    @Override
    List<List<Map.Entry<String, String>>> blocks() {
      List<List<Map.Entry<String, String>>> blocks = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        blocks.add(
            fields(
                """
                :method POST
                :scheme http
                :path /inventory.v1.Inventory/%s
                :authority inventory.internal:8443
                content-type application/grpc
                te trailers
                user-agent grpc-java-netty/1.76.0
                grpc-accept-encoding gzip
                grpc-timeout %dm
                traceparent 00-4bf92f3577b34da6a3ce929d0e0e47%02x-00f067aa0ba9%04x-01
                """
                    .formatted(i % 4 == 3 ? "Reserve" : "Lookup", 950 + i % 3, 17 * i, 641 * i)));
      }
      return blocks;
    }
  };

  abstract List<List<Map.Entry<String, String>>> blocks();

  private static List<Map.Entry<String, String>> browser(
      String path, String destination, String mode, String accept) {
    return fields(
        """
        :method GET
        :authority www.example.com
        :scheme https
        :path %s
        user-agent Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36
        accept %s
        accept-encoding gzip, deflate, br, zstd
        accept-language en-GB,en;q=0.9,de;q=0.7
        sec-fetch-site same-origin
        sec-fetch-mode %s
        sec-fetch-dest %s
        referer https://www.example.com/
        cookie sid=7c1f0a9de2b84c0fb1d0a8c3e5f79b12; theme=dark; consent=1
        """
            .formatted(path, accept, mode, destination));
  }

  /// One field a line: the name and, behind a space, the value.
  private static List<Map.Entry<String, String>> fields(String lines) {
    return lines
        .lines()
        .map(line -> line.split(" ", 2))
        .map(parts -> Map.entry(parts[0], parts[1]))
        .toList();
  }
}
