package io.skerry.internal.dataset.virtual;

import io.skerry.collective.share.SharedRead;
import io.skerry.collective.share.Sighting;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.virtual.place.RepeatedPlaces;
import io.skerry.internal.dataset.virtual.place.Wanted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The sources from which this rank reads while several ranks together read a virtual dataset. Each
 * rank opens the sources that it needs. A chunk that must be decoded and that several ranks need is
 * read by one of them. A source that only one rank needs is read by that rank, and elements that
 * need no decoding are read by each rank that needs them. The number of messages does not depend on
 * the number of sources. Not thread-safe.
 *
 * @param <W> the type of the elements that this rank needs from a chunked source
 */
final class SharedSources<W extends WantedSource<?>> {
  private final MappingSources sources;
  private final Map<String, Sighting> sightings = new LinkedHashMap<>();
  private final Map<String, W> wanted = new LinkedHashMap<>();

  /**
   * The elements that a mapping selects more than once in a virtual source. Outer virtual datasets
   * come first; their elements must be copied after those of inner ones.
   */
  private final List<RepeatedPlaces> repeated = new ArrayList<>();

  /**
   * Reads the parts of one virtual dataset: the dataset that is read, or a source that is itself
   * virtual. Local.
   */
  interface Level {
    /** Reads the elements of a part, if it has a source. */
    void read(WantedParts.Item item);

    /**
     * Collects the needed chunks of a part that must be decoded; reads the other elements.
     *
     * @param search the search that finds the source of the part
     * @return the presence or absence of a source for the part
     */
    Sighting.Presence collect(WantedParts.Item item, SourceSearch search);
  }

  /**
   * Creates an empty collection.
   *
   * @param sources the sources of the virtual dataset that is read
   */
  SharedSources(MappingSources sources) {
    this.sources = sources;
  }

  /**
   * Reads the parts whose sources no other rank needs; collects the chunks of the other parts that
   * must be decoded. Collective; the caller must have the ranks agree on whether any of them
   * failed.
   *
   * @param list a supplier of the parts that this rank needs; called unless this rank has failed
   * @param level a supplier of the level of the virtual dataset that is read; called unless a rank
   *     has failed
   * @return the selected elements of this rank
   */
  Wanted collect(SharedRead read, Supplier<WantedParts> list, Supplier<Level> level) {
    WantedParts parts = read.attempt(() -> sources.named(list), WantedParts.NONE);
    boolean[] elsewhere = read.elsewhere(parts.names());
    boolean unused =
        read.attempt(
            () -> sources.named(() -> collect(parts, elsewhere, level.get())), Boolean.FALSE);
    return parts.wanted();
  }

  private boolean collect(WantedParts parts, boolean[] elsewhere, Level level) {
    Set<String> shared = parts.shared(elsewhere);
    for (WantedParts.Item item : parts.items()) {
      String name = item.part().sourceName();
      if (shared.contains(name)) {
        SourceSearch search = SourceSearch.of(sources, item.part());
        sightings.putIfAbsent(name, new Sighting(name, level.collect(item, search)));
      } else {
        level.read(item);
      }
    }
    return true;
  }

  /**
   * Collects the needed chunks from the sources of a source that is itself virtual.
   *
   * @param parts the parts of the virtual source
   * @param places the places of its elements in the buffer
   * @param search the search that finds the virtual source
   * @param level the level that reads the parts of the virtual source
   */
  void collectWithin(WantedParts parts, RepeatedPlaces places, SourceSearch search, Level level) {
    repeated.add(places);
    for (WantedParts.Item mapped : parts.items()) {
      Part part = mapped.part();
      Sighting.Presence unused =
          level.collect(
              new WantedParts.Item(part, places.places().placed(mapped.pieces())),
              search.then(part));
    }
  }

  /**
   * Returns the elements that this rank needs from a chunked source.
   *
   * @param empty a supplier of an empty collection, for a source that has no collection yet
   */
  W wantedOf(NativeDataset source, Supplier<W> empty) {
    return wanted.computeIfAbsent(WantedSource.key(source), _ -> empty.get());
  }

  /** Returns the results of this rank's searches for sources that other ranks may need too. */
  List<Sighting> sightings() {
    return List.copyOf(sightings.values());
  }

  /** Returns the collected chunks, by source. */
  List<W> wanted() {
    return List.copyOf(wanted.values());
  }

  /**
   * Returns the elements that must be copied to other places after the read, in the order in which
   * to copy them.
   */
  List<RepeatedPlaces> repeated() {
    return repeated.reversed();
  }
}
