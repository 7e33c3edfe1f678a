package io.skerry.collective.write;

import io.skerry.collective.core.ChunkLocator;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.PresentChunks;
import io.skerry.collective.owner.GridArea;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.LocalStatus;
import java.util.List;

/**
 * Plans the requests of a rank that performs a wide erasure: one whose selection may touch too many
 * chunks of the grid to list. The index owners are asked which of these chunks exist, and only the
 * existing chunks are changed.
 */
final class WideErasures {
  private final FileContext context;

  WideErasures(FileContext context) {
    this.context = context;
  }

  /** Returns whether requests include a wide erasure. Local. */
  static boolean isAny(List<WriteRequest> requests) {
    return requests.stream().anyMatch(PresentChunks::isWide);
  }

  /**
   * Plans requests, some of which are wide erasures. The file must have been flushed. Collective:
   * ranks without wide erasures take part.
   *
   * @param requests the requests of this rank; empty if none of them is a wide erasure
   * @return the plan; empty if this rank has failed
   */
  WritePlan plan(List<WriteRequest> requests, LocalStatus status) {
    ChunkLocator.Located located = locate(requests, status);
    return status.attempt(() -> narrowed(requests, located), WritePlan.empty());
  }

  /** Asks the index owners which chunks exist in the areas to be erased. Collective. */
  private ChunkLocator.Located locate(List<WriteRequest> requests, LocalStatus status) {
    List<GridArea> areas =
        requests.stream()
            .filter(PresentChunks::isWide)
            .flatMap(request -> GridArea.around(request.dataset(), request.selection()).stream())
            .toList();
    return new ChunkLocator(context).locateAll(areas, status);
  }

  private static WritePlan narrowed(List<WriteRequest> requests, ChunkLocator.Located located) {
    return WritePlan.of(
        requests.stream()
            .map(request ->
                PresentChunks.isWide(request)
                    ? PresentChunks.narrowed(request, located.chunks(request.dataset().id()))
                    : request)
            .toList());
  }
}
