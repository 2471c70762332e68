vcl 4.1;

# A cache before the calendar: see caches.md.

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

# Where TLS ends: it overwrites X-Forwarded-Proto. What others say of the scheme does not reach the calendar.
acl tls_end {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (client.ip !~ tls_end) {
        unset req.http.X-Forwarded-Proto;
        unset req.http.Forwarded;
    }
}

acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "BAN") {
        if (client.ip !~ purgers) {
            return (synth(405));
        }
        if (req.http.X-Keys !~ "^[a-z][a-z0-9_|-]*$") {
            return (synth(400));
        }
        ban("obj.http.Surrogate-Key ~ (^|\s)(" + req.http.X-Keys + ")(\s|$)");
        return (synth(200));
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.http.Authorization || req.http.Cookie || req.http.X-WP-Nonce) {
        return (pass);
    }
}

sub vcl_backend_response {
    if (beresp.http.Cache-Control ~ "no-store|private" || !beresp.http.Surrogate-Key) {
        set beresp.uncacheable = true;
        set beresp.ttl = 10s;
        return (deliver);
    }
    set beresp.ttl = 1h;
    set beresp.grace = 0s;
    set beresp.keep = 0s;
}

sub vcl_deliver {
    unset resp.http.Surrogate-Key;
}
