// A server on node's http; prints its port.
const http = require("http");
const server = http.createServer((req, res) => {
  if (req.url === "/plaintext") {
    res.end("Hello, World!");
  } else if (req.url === "/echo") {
    req.pipe(res);
  } else if (req.url === "/chunked") {
    for (let i = 0; i < 100; i++) res.write("0123456789");
    res.end();
  } else if (req.url === "/refuse") {
    res.writeHead(403, { "content-length": 3, connection: "close" });
    res.end("no\n");
  } else {
    res.writeHead(404);
    res.end();
  }
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
