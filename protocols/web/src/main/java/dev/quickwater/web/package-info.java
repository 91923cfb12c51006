/// HTTP servers and clients: routes, filters, static files, access log, connection pool.
@NullMarked
package dev.quickwater.web;

import org.jspecify.annotations.NullMarked;
