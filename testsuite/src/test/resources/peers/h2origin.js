// A server of HTTP/2 without TLS on node's http2; prints its port.
const http2 = require("http2");
const { Readable } = require("stream");

function* pieces() {
  for (let i = 0; i < 256; i++) yield Buffer.alloc(64 << 10);
}

const server = http2.createServer();
server.on("stream", (stream, headers) => {
  const path = headers[":path"];
  stream.on("error", () => {});
  if (path === "/plaintext") {
    stream.respond({ ":status": 200 });
    stream.end("Hello, World!");
  } else if (path === "/version") {
    stream.respond({ ":status": 200 });
    stream.end("HTTP/2.0");
  } else if (path === "/echo") {
    let sum = "";
    stream.on("trailers", (h) => (sum = h["x-sum"]));
    stream.respond({ ":status": 200 }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "x-sum": sum }));
    stream.pipe(stream);
  } else if (path === "/large") {
    stream.respond({ ":status": 200 });
    Readable.from(pieces()).pipe(stream);
  } else if (path === "/refuse") {
    stream.respond({ ":status": 403 });
    stream.end("no\n");
  } else {
    stream.respond({ ":status": 404 }, { endStream: true });
  }
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
