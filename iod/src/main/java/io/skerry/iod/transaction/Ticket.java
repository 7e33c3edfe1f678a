package io.skerry.iod.transaction;

/**
 * The permission to write in a transaction. A client receives it when it starts the transaction,
 * and may pass it to other clients that write on its behalf.
 *
 * @param session the session in which the transaction was started; the numbers above the persisted
 *     mark are free again in the next session
 * @param number the number of the transaction, 1 to 2^63-1
 */
public record Ticket(long session, long number) {}
