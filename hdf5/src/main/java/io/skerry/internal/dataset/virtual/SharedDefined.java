package io.skerry.internal.dataset.virtual;

import io.skerry.collective.share.SharedRead;
import io.skerry.collective.share.Sighting;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.internal.dataset.Storage;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the defined elements among those that each rank selects in a virtual dataset. Each rank
 * opens the sources that it needs. A chunk that several ranks need is decoded by one of them. The
 * number of messages does not depend on the number of sources.
 */
final class SharedDefined {
  private final SharedRead read;
  private final VirtualDefined query;
  private final Map<String, Sighting> sightings = new LinkedHashMap<>();
  private final Map<String, WantedDefined> wanted = new LinkedHashMap<>();

  /**
   * Creates a query.
   *
   * @param query the query that finds the defined elements on this rank
   */
  SharedDefined(SharedRead read, VirtualDefined query) {
    this.read = read;
    this.query = query;
  }

  /**
   * Returns the defined elements of a selection; empty if this rank has failed. A point selection
   * keeps its order. Collective; the caller must have the ranks agree on whether any of them
   * failed.
   */
  Optional<Selection> among(Supplier<Selection> selection) {
    return query
        .sources()
        .guarded(() -> {
          List<Part> parts = new ArrayList<>();
          Selection resolved =
              read.attempt(
                  () -> query.sources().named(() -> list(selection.get(), parts)),
                  Selection.none());
          List<String> names = parts.stream().map(Part::sourceName).distinct().toList();
          boolean[] elsewhere = read.elsewhere(names);
          Optional<Supplier<Selection>> defined =
              read.alone(
                  () -> query.sources().named(() -> collect(resolved, parts, names, elsewhere)));
          read.readAnswers(List.copyOf(sightings.values()), List.copyOf(wanted.values()));
          return defined.flatMap(known -> read.alone(() -> query.sources().named(known)));
        });
  }

  private Selection list(Selection selection, List<Part> parts) {
    selection.checkWithin(query.shape());
    Selection resolved = selection.resolve(query.shape());
    query.parts().forEach(resolved, parts::add);
    return resolved;
  }

  /**
   * Examines the parts whose sources no other rank needs; collects the chunks of the other parts.
   *
   * @return a supplier of the defined elements, which are known after the read
   */
  private Supplier<Selection> collect(
      Selection resolved, List<Part> parts, List<String> names, boolean[] elsewhere) {
    Map<String, Boolean> shared = new LinkedHashMap<>();
    for (int i = 0; i < elsewhere.length; i++) {
      shared.put(names.get(i), elsewhere[i]);
    }
    List<Supplier<VirtualDefined.Mapped>> found = new ArrayList<>();
    for (Part part : parts) {
      String name = part.sourceName();
      Optional<SourceDatasets.Source> source = source(query, part);
      if (shared.getOrDefault(name, false)) {
        sightings.putIfAbsent(name, new Sighting(name, Sighting.Presence.of(source)));
        SourceSearch search = SourceSearch.of(query.sources(), part);
        source.ifPresent(known -> found.add(collect(query, part, known, resolved, search)));
      } else {
        source.map(known -> query.mapped(part, known, resolved)).ifPresent(m -> found.add(() -> m));
      }
    }
    return () -> query.among(resolved, found.stream().map(Supplier::get).toList());
  }

  private static Optional<SourceDatasets.Source> source(VirtualDefined level, Part part) {
    return level.sources().source(part.mapping(), part.block());
  }

  /**
   * Collects the chunks of a part.
   *
   * @param level the query for the virtual dataset of the part
   * @param search the search that finds the source of the part
   */
  private Supplier<VirtualDefined.Mapped> collect(
      VirtualDefined level,
      Part part,
      SourceDatasets.Source source,
      Selection resolved,
      SourceSearch search) {
    if (source.isDense() || !(source instanceof SourceDatasets.Opened(NativeDataset dataset, _))) {
      VirtualDefined.Mapped mapped = level.mapped(part, source, resolved);
      return () -> mapped;
    }
    VirtualDefined.Question question = level.question(part, source, resolved);
    Supplier<Selection> there =
        switch (dataset.opened()) {
          case Storage.Chunked(var chunks) ->
              wanted
                      .computeIfAbsent(
                          WantedSource.key(dataset),
                          _ -> new WantedDefined(dataset, chunks, search))
                      .add(dataset, chunks, question.needed())
                  ::defined;
          case Storage.Virtual(MappedContent inner) ->
              inner.guarded(
                  () -> collect(inner.definedIn(dataset.shape()), question.needed(), search));
          default -> {
            Selection defined = source.defined(question.needed());
            yield () -> defined;
          }
        };
    return () -> question.answered(there.get());
  }

  /** Collects the chunks from the sources of a source that is itself virtual. */
  private Supplier<Selection> collect(VirtualDefined level, Selection needed, SourceSearch search) {
    List<Supplier<VirtualDefined.Mapped>> found = new ArrayList<>();
    Selection resolved = needed.resolve(level.shape());
    level
        .parts()
        .forEach(
            resolved,
            part ->
                source(level, part)
                    .ifPresent(source ->
                        found.add(collect(level, part, source, resolved, search.then(part)))));
    return () -> level.among(resolved, found.stream().map(Supplier::get).toList());
  }
}
