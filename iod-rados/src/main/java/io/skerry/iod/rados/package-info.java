/**
 * The distributed engine: a container is a set of objects in a pool of a Ceph cluster. Start at
 * {@link io.skerry.iod.rados.ShardNames}, which shows the objects, and at {@link
 * io.skerry.iod.rados.RadosShard}.
 *
 * <p>RADOS changes single objects atomically. A transaction changes many objects, and is therefore
 * stored in three steps:
 *
 * <ol>
 *   <li>The list of the places that a batch changes is added to the head of the shard, and is
 *       durable before the second step begins.
 *   <li>The values and versions of the batch are stored, in all objects at the same time. The first
 *       two steps of the next batch may begin before the batch is stored.
 *   <li>After all shards have stored all batches of the transaction, the readable mark in the head
 *       of shard 0 is changed by compare-and-set.
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
