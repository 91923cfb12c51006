# Sends one request with http.client and prints the status and the length of the response.
import http.client
import sys
from urllib.parse import urlsplit

url, method = urlsplit(sys.argv[1]), sys.argv[2]
connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
body = b"x" * (10 << 20) if method == "POST" else None
try:
    try:
        connection.request(method, url.path, body)
    except (BrokenPipeError, ConnectionResetError) as e:
        print("error", e)
        sys.exit(0)
    response = connection.getresponse()
    print(response.status, len(response.read()))
except Exception as e:
    print("error", repr(e))
