package io.skerry.internal.copy.generic;

import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.parallel.Operation;
import io.skerry.spi.Connectors;
import io.skerry.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Copies the pairs of maps. Rank 0 copies them in batches, and a flush makes them visible to the
 * other ranks. Collective.
 *
 * @param target the file of the copies
 * @param references changes references in values
 */
record MapCopy(H5File target, CopiedReferences references) {
  /** The number of pairs that are stored in one step. */
  private static final int BATCH = 1024;

  /** Copies the pairs of all maps of a plan, whose copies exist and are empty. */
  void copy(CopyPlan plan) {
    if (plan.maps().isEmpty()) {
      return;
    }
    List<MapObject> copies =
        plan.maps().stream().map(map -> target.map(map.to().toString())).toList();
    boolean unused =
        new TargetSteps(target)
            .before(
                Operation.FLUSH,
                "",
                () -> Connectors.position(target).rank() > 0 || copyAll(plan, copies));
    target.flush();
  }

  private boolean copyAll(CopyPlan plan, List<MapObject> copies) {
    for (int i = 0; i < copies.size(); i++) {
      copy(plan.maps().get(i).open().get(), copies.get(i));
    }
    return true;
  }

  private void copy(MapObject from, MapObject to) {
    Map<Value, Value> batch = new LinkedHashMap<>();
    Optional<MapObject.Position> last =
        from.iteratePairs(
            Optional.empty(),
            (key, value) -> {
              batch.put(key, references.changed(List.of(value)).getFirst());
              if (batch.size() == BATCH) {
                to.putAll(batch);
                batch.clear();
              }
              return MapObject.Next.CONTINUE;
            });
    if (last.isPresent()) {
      throw new IllegalStateException("not all pairs were visited: map=" + from.path());
    }
    to.putAll(batch);
  }
}
