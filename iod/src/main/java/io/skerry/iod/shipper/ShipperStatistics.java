package io.skerry.iod.shipper;

/**
 * The message statistics of one rank since the container was opened.
 *
 * @param messages the number of messages sent, excluding bulk data
 * @param bytes the number of bytes sent
 * @param mostCalls the largest number of calls to one I/O rank whose results this client was
 *     awaiting at the same time
 * @param mostCallBytes the largest total size, in bytes, of the values of such calls
 * @param mostHeldBytes the largest number of bytes of bulk data that this I/O rank held for
 *     clients; 0 if the rank does not serve
 */
public record ShipperStatistics(
    long messages, long bytes, int mostCalls, long mostCallBytes, long mostHeldBytes) {}
