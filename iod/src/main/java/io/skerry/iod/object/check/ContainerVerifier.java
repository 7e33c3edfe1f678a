package io.skerry.iod.object.check;

import io.skerry.iod.engine.Container;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.lease.IdCounters;
import io.skerry.iod.object.lease.IdLease;
import io.skerry.iod.object.model.TileDecoder;
import java.util.function.Consumer;

/**
 * Verifies the objects of a container at a transaction:
 *
 * <pre>
 * dangling link        a link, attribute, cell or shared datatype refers to nothing
 * wrong type           two objects claim the same part, or a link refers to a part of an object
 * link count           the stored number of links differs from the number found
 * damaged              a value does not have its checksum, or cannot be decoded
 * unreachable object   an object that no link refers to
 * orphan               pairs, tiles or blocks that belong to no object
 * wrong shard          a value is not in the shard of its place
 * id counter           a number in use would be assigned again
 * not checked          something that this version cannot decode
 * </pre>
 *
 * <p>Memory use is proportional to the number of objects, including the BLOBs of cells.
 */
public final class ContainerVerifier {
  private ContainerVerifier() {}

  /**
   * Verifies all shards of a container, which this process must serve. Local.
   *
   * @param transaction the transaction, not above the readable mark
   * @param decoder decodes tiles with cells of variable length
   * @param lines receives a line for each finding: its kind as above, a colon, and details; an
   *     exception that it throws ends the verification and reaches the caller unchanged
   * @return the number of findings
   * @throws IllegalArgumentException if this process does not serve all shards
   * @throws io.skerry.iod.engine.EngineException if the storage fails
   */
  public static long verify(
      Container container, long transaction, TileDecoder decoder, Consumer<String> lines) {
    return CarriedFailure.unwrapped(
        () -> count(container, transaction, decoder, new Findings(CarriedFailure.carrying(lines))));
  }

  private static long count(
      Container container, long transaction, TileDecoder decoder, Findings findings) {
    ObjectStore store = ObjectStore.of(container, ChecksumLevel.ALL);
    Values values = store.at(transaction);
    Reached reached = new ObjectWalk(values, decoder, findings).run();
    ValueSweep sweep = new ValueSweep(values, store.shardMap(), reached, findings);
    for (int shard = 0; shard < container.info().shards(); shard++) {
      sweep.run(container.shard(shard));
    }
    findings.run(() -> checkCounters(values, sweep, findings));
    return findings.count();
  }

  private static void checkCounters(Values values, ValueSweep sweep, Findings findings) {
    IdCounters.nextBlocks(values)
        .forEach((type, block) -> {
          long largest = sweep.largest().getOrDefault(type, -1L);
          if (largest >= block * IdLease.BLOCK) {
            findings.add(
                "id counter",
                IdCounters.key(type).text()
                    + " expected=above "
                    + largest / IdLease.BLOCK
                    + " actual="
                    + block);
          }
        });
  }
}
