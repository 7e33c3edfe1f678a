package io.skerry.iod.shipper;

/**
 * The messages of one rank since the container was opened.
 *
 * @param messages the number of messages sent, without those of bulk data
 * @param bytes the number of bytes sent
 * @param mostCalls the number of calls that this client had sent to one I/O rank without having
 *     received their results, at most
 * @param mostCallBytes the bytes of values of such calls, at most
 * @param mostHeldBytes the bytes of bulk data that this I/O rank held for clients, at most; 0 if
 *     the rank does not serve
 */
public record ShipperStatistics(
    long messages, long bytes, int mostCalls, long mostCallBytes, long mostHeldBytes) {}
