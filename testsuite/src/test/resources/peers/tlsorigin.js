// An https server with HTTP/2 and HTTP/1.1: prints its port.
const fs = require("fs");
const http2 = require("http2");
const server = http2.createSecureServer({
  allowHTTP1: true,
  cert: fs.readFileSync(process.argv[2]),
  key: fs.readFileSync(process.argv[3]),
});
server.on("request", (req, res) => {
  if (req.url === "/echo") {
    req.pipe(res);
    return;
  }
  const version = req.httpVersion === "2.0" ? "HTTP/2.0" : "HTTP/" + req.httpVersion;
  const socket = req.stream && req.stream.session ? req.stream.session.socket : req.socket;
  res.end(version + " " + socket.getProtocol() + " " + socket.servername);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
