/**
 * Exchanges messages between ranks: sparse exchange (Bruck's algorithm with many ranks),
 * announcements to all ranks, and the gathering of failures. Start at {@link Exchange}. This
 * package uses no other package of this module; the other packages send their messages with it.
 */
package io.skerry.collective.wire;
