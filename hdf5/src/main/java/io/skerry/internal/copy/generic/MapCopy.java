package io.skerry.internal.copy.generic;

import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.parallel.Operation;
import io.skerry.spi.Connectors;
import io.skerry.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies the pairs of maps in rounds. In a round, each rank reads pairs of its share, the ranks
 * agree on whether any of them failed, each rank stores its pairs, and the ranks agree again. To
 * read or store pairs, a rank needs the ranks that serve the file. A rank can serve requests for a
 * file while it waits in the agreement on that file, but not while it waits for an answer about the
 * other file. A flush at the end makes the pairs visible to all ranks. Collective.
 *
 * @param source the file of the maps
 * @param target the file of the copies
 * @param references the changes to references in values
 */
record MapCopy(H5File source, H5File target, CopiedReferences references) {
  /** Copies the pairs of all maps of a plan, whose copies exist and are empty. */
  void copy(CopyPlan plan) {
    if (plan.maps().isEmpty()) {
      return;
    }
    for (CopyPlan.Planned<MapObject> map : plan.maps()) {
      copy(map.open().get(), target.map(map.to().toString()));
    }
    target.flush();
  }

  private void copy(MapObject from, MapObject to) {
    MapShare share = new MapShare(from, Connectors.position(target));
    long left;
    do {
      Map<Value, Value> round = read(share);
      left = stored(share, round, to);
    } while (left > 0);
  }

  /** Reads the pairs of this rank in a round. */
  private Map<Value, Value> read(MapShare share) {
    if (!Connectors.position(source).equals(Connectors.position(target))) {
      // The source may also be open on ranks that take no part in the copy.
      return new TargetSteps(target).before(Operation.COPY, "", share::next);
    }
    Map<Value, Value> round = new TargetSteps(source).before(Operation.COPY, "", share::next);
    long unused = Connectors.stored(source).largest(0);
    return round;
  }

  /**
   * Stores the pairs of this rank in a round. Returns a positive number if any rank has more pairs.
   */
  private long stored(MapShare share, Map<Value, Value> round, MapObject to) {
    boolean unused =
        new TargetSteps(target)
            .before(
                Operation.COPY,
                "",
                () -> {
                  to.putAll(changed(round));
                  return true;
                });
    return Connectors.stored(target).largest(share.isRead() ? 0 : 1);
  }

  private Map<Value, Value> changed(Map<Value, Value> round) {
    Map<Value, Value> changed = new LinkedHashMap<>();
    round.forEach((key, value) -> changed.put(key, references.changed(List.of(value)).getFirst()));
    return changed;
  }
}
