package io.skerry.iod.transaction;

/**
 * The permission to read one version of the container, valid until the context is released or the
 * session ends.
 *
 * @param session the session in which the context was acquired
 * @param id the identifier of the context, unique for one leader
 * @param transaction the number of the readable transaction whose state the reads return; 0 for the
 *     empty state of a new container
 */
public record ReadContext(long session, long id, long transaction) {}
