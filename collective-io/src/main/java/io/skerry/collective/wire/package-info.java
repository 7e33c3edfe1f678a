/**
 * Messages between ranks: sparse exchange (Bruck's algorithm on many ranks), announcements to all,
 * and the gathering of failures.
 */
package io.skerry.collective.wire;
