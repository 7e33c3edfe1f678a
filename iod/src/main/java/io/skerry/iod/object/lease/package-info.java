/** Leases of object numbers, in blocks. Start at {@link io.skerry.iod.object.lease.IdCounters}. */
package io.skerry.iod.object.lease;
