package io.skerry.internal.dataset.virtual;

import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import java.util.Optional;

/**
 * Finds a source again, since it may have been closed in the meantime. For a source of a virtual
 * source, the search begins at the outermost virtual dataset. Local.
 */
@FunctionalInterface
interface SourceSearch {
  /** Returns the source; empty if there is none. */
  Optional<NativeDataset> find();

  /** Returns the search for the source of a part. */
  static SourceSearch of(MappingSources sources, Part part) {
    return () -> sources.find(part.mapping(), part.block());
  }

  /** Returns the search for the source of a part of the virtual dataset that this search finds. */
  default SourceSearch then(Part part) {
    return () ->
        find()
            .flatMap(source ->
                source.opened() instanceof Storage.Virtual(MappedContent content)
                    ? content.source(part)
                    : Optional.empty());
  }
}
