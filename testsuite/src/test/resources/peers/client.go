// Sends one request with net/http and prints the status and the length of the response.
package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

func main() {
	url, method, expect := os.Args[1], os.Args[2], len(os.Args) > 3
	var body io.Reader
	if method == "POST" {
		body = bytes.NewReader(bytes.Repeat([]byte("x"), 10<<20))
	}
	req, err := http.NewRequest(method, url, body)
	if err != nil {
		panic(err)
	}
	if expect {
		req.Header.Set("Expect", "100-continue")
	}
	client := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: 10 * time.Second}}
	res, err := client.Do(req)
	if err != nil {
		fmt.Println("error", err)
		return
	}
	got, err := io.ReadAll(res.Body)
	if err != nil {
		fmt.Println("error", err)
		return
	}
	fmt.Println(res.StatusCode, len(got))
}
