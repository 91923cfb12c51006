// Requests over HTTP/2 without TLS by net/http, whose HTTP/2 is golang.org/x/net/http2; prints what came of them.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
)

func newClient() *http.Client {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: &http.Transport{Protocols: protocols}}
}

func read(res *http.Response, err error) string {
	if err != nil {
		return fmt.Sprint("error ", err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil {
		return fmt.Sprint("error ", err)
	}
	return fmt.Sprint(res.Proto, " ", res.StatusCode, " ", len(got))
}

func main() {
	url := os.Args[1]
	client := newClient()
	body := bytes.Repeat([]byte("x"), 10<<20)

	fmt.Println("get", read(client.Get(url+"/plaintext")))
	fmt.Println("echo", read(client.Post(url+"/echo", "text/plain", bytes.NewReader(body))))
	fmt.Println("length", read(client.Post(url+"/length", "text/plain", bytes.NewReader(body))))
	fmt.Println("forbidden", read(client.Post(url+"/forbidden", "text/plain", bytes.NewReader(body))))
	fmt.Println("head", read(client.Head(url+"/plaintext")))

	req, _ := http.NewRequest("POST", url+"/echo", io.NopCloser(bytes.NewReader(body[:1000])))
	req.Trailer = http.Header{"X-Sum": nil}
	req.Trailer.Set("X-Sum", "42")
	res, err := client.Do(req)
	fmt.Print("trailers ", read(res, err))
	if err == nil {
		fmt.Print(" ", res.Trailer.Get("X-Sum"))
	}
	fmt.Println()

	ctx, cancel := context.WithCancel(context.Background())
	req, _ = http.NewRequestWithContext(ctx, "GET", url+"/endless", nil)
	res, err = client.Do(req)
	if err != nil {
		fmt.Println("cancel error", err)
	} else {
		io.ReadFull(res.Body, make([]byte, 1<<20))
		cancel()
		_, err = io.ReadAll(res.Body)
		fmt.Println("cancel", err)
	}
	cancel()

	var wait sync.WaitGroup
	var lock sync.Mutex
	good := 0
	for i := 0; i < 1000; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			if read(client.Get(url+"/plaintext")) == "HTTP/2.0 200 13" {
				lock.Lock()
				good++
				lock.Unlock()
			}
		}()
	}
	wait.Wait()
	fmt.Println("parallel", good)
}
