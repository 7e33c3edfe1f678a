/**
 * Leases of numbers for new objects, in blocks. Start at {@link
 * io.skerry.iod.object.lease.IdCounters}.
 */
package io.skerry.iod.object.lease;
