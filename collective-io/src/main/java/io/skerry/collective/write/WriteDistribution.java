package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.collective.core.TransferMeter;
import io.skerry.collective.owner.Assignment;
import io.skerry.collective.owner.RoundPlan;
import io.skerry.collective.plan.WritePlan;
import io.skerry.parallel.TransferReport.Departure;
import java.util.Map;
import java.util.SortedMap;

/**
 * The distribution of a write among the ranks, as known to this rank.
 *
 * @param routes the owner of each chunk for which this rank has pieces, and the round in which the
 *     owner receives them
 * @param work the chunks that this rank owns, except those in {@code inPlace} and {@code whole}
 * @param inPlace the chunks that this rank writes in place
 * @param whole the whole chunks that this rank stores directly
 * @param plan the rounds of this rank as an owner
 * @param rounds the largest number of rounds of any owner
 * @param traffic an indication of whether pieces are exchanged between ranks
 * @param overLimit true if the write would exceed the limit on unstored bytes on some rank, and
 *     {@code anyWide} is false
 * @param anyInPlace true if any rank writes in place
 * @param anyWhole true if any rank stores whole chunks directly
 * @param anyWide true if any rank must first determine which chunks its erasures affect
 */
record WriteDistribution(
    Map<ChunkKey, PieceExchange.Destination> routes,
    SortedMap<ChunkKey, Assignment> work,
    SortedMap<ChunkKey, InPlaceWriter.Target> inPlace,
    SortedMap<ChunkKey, WholeChunkWriter.Target> whole,
    RoundPlan plan,
    long rounds,
    PieceExchange.Traffic traffic,
    boolean overLimit,
    boolean anyInPlace,
    boolean anyWhole,
    boolean anyWide) {
  /**
   * Returns the pieces that are sent to chunk owners: those that are neither written in place nor
   * stored as whole chunks.
   */
  WritePlan rest(WritePlan all) {
    return all.without(inPlace.keySet()).without(whole.keySet());
  }

  /**
   * Reports to the meter the rounds, the owned chunks, and the ways in which chunk owners are
   * bypassed.
   */
  void count(TransferMeter meter) {
    meter.rounds(rounds);
    meter.owns(
        work.size(), work.values().stream().filter(chunk -> chunk.writers().size() > 1).count());
    if (traffic == PieceExchange.Traffic.NONE) {
      meter.departs(Departure.NOTHING_SHARED);
    }
    if (anyInPlace) {
      meter.departs(Departure.IN_PLACE);
    }
    if (anyWhole) {
      meter.departs(Departure.WHOLE_CHUNKS);
    }
  }
}
