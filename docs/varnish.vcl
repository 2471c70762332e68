vcl 4.1;

# A cache before the calendar: see caches.md. Varnish listens at two places, one of them for purges alone:
#
#   varnishd -a http=:6081 -a purges=/run/varnish/purges.sock,user=agenda,mode=0600 -f varnish.vcl -s malloc,256m

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
    .probe = {
        .url = "/readyz"; # a host's own program: an address that answers 200 while the calendar can be read
        .interval = 2s;
        .timeout = 2s;
        .window = 3;
        .threshold = 2;
    }
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

sub vcl_recv {
    # Who may purge is not seen in an address: a proxy before Varnish has one for all visitors. So it is the place where Varnish listens.
    if (local.socket == "purges") {
        if (req.method != "BAN") {
            return (synth(405));
        }
        if (req.http.X-Keys !~ "^[a-z][a-z0-9_|-]*$") {
            return (synth(400));
        }
        ban("obj.http.Surrogate-Key ~ (^|\s)(" + req.http.X-Keys + ")(\s|$)");
        return (synth(200));
    }
    if (req.method == "BAN" || req.method == "PURGE") {
        return (synth(405));
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.http.Authorization || req.http.Cookie || req.http.X-WP-Nonce) {
        return (pass);
    }
    # What programs accept differs from one to the next; the calendar asks only whether it is iCalendar.
    if (req.http.Accept !~ "(?i)text/calendar") {
        unset req.http.Accept;
    }
    # Answers that are past their time are for when the calendar is away.
    if (std.healthy(req.backend_hint)) {
        set req.grace = 0s;
    }
}

sub vcl_backend_response {
    if (beresp.status >= 500 || beresp.status == 429 || beresp.status == 408) {
        if (bereq.is_bgfetch) {
            return (abandon); # what is there is better
        }
        set beresp.uncacheable = true;
        set beresp.ttl = 0s;
        return (deliver);
    }
    if (beresp.http.Cache-Control ~ "no-store|private" || !beresp.http.Surrogate-Key) {
        set beresp.uncacheable = true;
        set beresp.ttl = 10s;
        return (deliver);
    }
    set beresp.ttl = 1h;
    set beresp.grace = 6h;
    set beresp.keep = 0s;
}

sub vcl_deliver {
    unset resp.http.Surrogate-Key;
}
