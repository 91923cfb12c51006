// Requests over https by net/http; prints what came of them.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	url := os.Args[1]
	trusted, _ := os.ReadFile(os.Args[2])
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(trusted)
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		for _, http2 := range []bool{false, true} {
			transport := &http.Transport{
				ForceAttemptHTTP2: http2,
				TLSClientConfig:   &tls.Config{RootCAs: roots, MinVersion: version, MaxVersion: version},
			}
			client := &http.Client{Transport: transport}
			body := bytes.Repeat([]byte("x"), 10<<20)
			for i := 0; i < 2; i++ {
				res, err := client.Post(url+"/echo", "text/plain", bytes.NewReader(body))
				if err != nil {
					fmt.Println("error", err)
					continue
				}
				got, err := io.ReadAll(res.Body)
				res.Body.Close()
				fmt.Println(tls.VersionName(version), res.Proto, res.StatusCode, len(got), err)
			}
		}
	}
	_, err := (&http.Client{}).Get(url + "/plaintext")
	fmt.Println("untrusted", err != nil)
}
