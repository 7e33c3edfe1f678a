package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.owner.Assignment;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.WritePlan;
import java.util.List;
import java.util.Optional;

/**
 * Finds the chunks that a write can store without an exchange of pieces and without the cache. Only
 * this rank may write to such a chunk, with a single piece that replaces complete elements, and the
 * chunk must have no version that waits for the next flush.
 */
final class UnsharedPieces {
  private final FileContext context;

  UnsharedPieces(FileContext context) {
    this.context = context;
  }

  /**
   * Returns the only piece of a chunk if the chunk can be stored without an exchange of pieces and
   * without the cache; otherwise empty. The piece replaces complete elements. Local.
   */
  Optional<Piece> find(WritePlan plan, Assignment chunk) {
    ChunkKey key = chunk.key();
    boolean aloneHere =
        chunk.writers().size() == 1 && chunk.writers().getFirst().rank() == context.ranks().rank();
    List<Piece> pieces = plan.chunks().getOrDefault(key, List.of());
    return aloneHere
            && pieces.size() == 1
            && pieces.getFirst().replacesElements()
            && context.chunks().unstored(key).isEmpty()
            && !context.unpublished().has(key)
        ? Optional.of(pieces.getFirst())
        : Optional.empty();
  }
}
