package io.skerry.internal.copy.generic;

import io.skerry.CopyOption;
import io.skerry.H5File;
import io.skerry.spi.ObjectPath;
import io.skerry.value.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Changes references in copied values: they refer to the copies of their targets if the options
 * request it. Other references to objects of the source file are null in a copy to another file,
 * and are kept in a copy within one file. Local.
 */
final class CopiedReferences {
  private final CopyPlan plan;
  private final H5File target;
  private final boolean follows;
  private final boolean keepsOthers;
  private final Map<Long, Value.Target> copies = new HashMap<>();

  CopiedReferences(CopyPlan plan, H5File target, Set<CopyOption> options) {
    this.plan = plan;
    this.target = target;
    this.follows = options.contains(CopyOption.KEEP_INNER_REFERENCES);
    this.keepsOthers = plan.source().equals(target);
  }

  /** Returns values with changed references. */
  List<Value> changed(List<Value> values) {
    return values.stream().map(this::changed).toList();
  }

  private Value changed(Value value) {
    return switch (value) {
      case Value.Compound(var fields) ->
          new Value.Compound(
              fields.stream()
                  .map(field -> new Value.Field(field.name(), changed(field.value())))
                  .toList());
      case Value.Array(var dimensions, var elements) ->
          new Value.Array(dimensions, changed(elements));
      case Value.Sequence(var elements) -> new Value.Sequence(changed(elements));
      case Value.ObjectReference(Value.Target to) ->
          found(to).<Value>map(Value.ObjectReference::new).orElseGet(Value.NullReference::new);
      case Value.RegionReference(Value.Target to, var region) ->
          found(to)
              .<Value>map(copy -> new Value.RegionReference(copy, region))
              .orElseGet(Value.NullReference::new);
      case Value.AttributeReference(Value.Target to, String name) ->
          found(to)
              .<Value>map(copy -> new Value.AttributeReference(copy, name))
              .orElseGet(Value.NullReference::new);
      default -> value;
    };
  }

  /** Returns the new target of a reference; empty if the reference becomes null. */
  private Optional<Value.Target> found(Value.Target old) {
    if (old.file().isPresent()) {
      return Optional.of(old);
    }
    Optional<ObjectPath> place = follows ? plan.placeOf(old.address()) : Optional.empty();
    return place
        .map(path -> copies.computeIfAbsent(old.address(), _ -> targetAt(path)))
        .or(() -> keepsOthers ? Optional.of(old) : Optional.empty());
  }

  private Value.Target targetAt(ObjectPath path) {
    return target.reference(path.toString()).target();
  }
}
