# Requests over https with http.client; prints what came of them.
import http.client
import ssl
import sys
from urllib.parse import urlsplit

url = urlsplit(sys.argv[1])
for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
    context = ssl.create_default_context(cafile=sys.argv[2])
    context.minimum_version = context.maximum_version = version
    connection = http.client.HTTPSConnection(url.hostname, url.port, context=context, timeout=60)
    connection.request("POST", "/length", b"x" * (10 << 20))
    response = connection.getresponse()
    length = len(response.read())
    print(connection.sock.version(), response.status, length)
    connection.close()
try:
    connection = http.client.HTTPSConnection(url.hostname, url.port, timeout=60)
    connection.request("GET", "/plaintext")
    print("accepted")
except ssl.SSLCertVerificationError as e:
    print("untrusted", e.verify_code)
