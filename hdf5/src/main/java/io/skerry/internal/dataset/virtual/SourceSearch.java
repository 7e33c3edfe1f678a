package io.skerry.internal.dataset.virtual;

import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.internal.dataset.Storage;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A search for the source of a part. The search can be repeated, since the source may have been
 * closed in the meantime. For a source of a virtual source, the search begins at the outermost
 * virtual dataset. Local.
 *
 * @param sources a supplier of the sources of the virtual dataset of the part; supplies empty if
 *     that dataset no longer exists
 */
record SourceSearch(Supplier<Optional<MappingSources>> sources, Part part) {
  /** Returns the search for the source of a part. */
  static SourceSearch of(MappingSources sources, Part part) {
    return new SourceSearch(() -> Optional.of(sources), part);
  }

  /** Opens the file of the source in full. Returns the source; empty if there is none. */
  Optional<NativeDataset> find() {
    return sources.get().flatMap(known -> known.find(part.mapping(), part.block()));
  }

  /**
   * Returns the source for reads of its elements, whose file need not be open in full; empty if
   * there is none.
   */
  Optional<SourceDatasets.Source> readable() {
    return sources.get().flatMap(known -> known.source(part.mapping(), part.block()));
  }

  /** Returns the search for the source of a part of the virtual dataset that this search finds. */
  SourceSearch then(Part inner) {
    return new SourceSearch(
        () ->
            find()
                .flatMap(source ->
                    source.opened() instanceof Storage.Virtual(MappedContent content)
                        ? Optional.of(content.sources())
                        : Optional.empty()),
        inner);
  }
}
