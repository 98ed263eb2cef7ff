wrk.headers["x-api-key"] = "demo-key"
