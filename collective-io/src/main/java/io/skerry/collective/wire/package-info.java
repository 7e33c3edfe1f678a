/**
 * Messages between ranks: sparse exchange (Bruck's algorithm on many ranks), announcements to all,
 * and the gathering of failures. Start at {@link Exchange}. It uses no other package of this
 * module; the others send their messages with it.
 */
package io.skerry.collective.wire;
