/**
 * The distributed engine: a container is a set of objects in a pool of a Ceph cluster. Start at
 * {@link io.skerry.iod.rados.ShardNames}, which shows the objects, and at {@link
 * io.skerry.iod.rados.RadosShard}.
 *
 * <p>RADOS changes single objects atomically. A transaction changes many objects, and is therefore
 * stored in three steps, each durable before the next begins:
 *
 * <ol>
 *   <li>The list of the places that a batch changes is added to the head of the shard.
 *   <li>The values and versions of the batch are stored, in all objects at the same time.
 *   <li>After all shards have prepared the transaction, the readable mark in the head of shard 0 is
 *       changed by compare-and-set.
 * </ol>
 *
 * <p>Readers see only versions up to the readable mark. The lists of an interrupted transaction
 * name everything that it has stored; the next opening for writing removes it. A purge follows the
 * same lists, and removes a list after everything that it names.
 *
 * <p>Each opener that writes holds a lease on the heads of its shards. All changes of a head fail
 * if the head does not name the opener as its writer; an opener that takes over an expired lease
 * first makes the cluster block the previous holder, so no late change can arrive.
 */
package io.skerry.iod.rados;
