package io.skerry.integration.interop;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.integration.interop.ExpectedObject.ExpectedAttribute;
import io.skerry.integration.interop.ExpectedObject.ExpectedGroup;
import io.skerry.integration.random.ValueGenerator;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Generates steps that change attributes, and immediately applies them to the expected object. */
final class AttributeSteps {
  private final BiConsumer<String, WritingStep.Action> plan;

  /**
   * Creates a generator.
   *
   * @param plan the consumer of the steps: a description and an action for each
   */
  AttributeSteps(BiConsumer<String, WritingStep.Action> plan) {
    this.plan = plan;
  }

  void set(ExpectedTree.Found on, String name, Datatype type, Shape shape, List<Value> values) {
    on.object().attributes.put(name, new ExpectedAttribute(type, Optional.of(shape), values));
    String what = "attribute " + on.path() + "@" + name + " " + type + " " + shape;
    boolean group = on.object() instanceof ExpectedGroup;
    plan.accept(
        what,
        (file, _) -> {
          List<Value> resolved = ValueGenerator.resolved(file, values);
          if (group) {
            group(file, on).setAttribute(name, type, shape, resolved);
          } else {
            dataset(file, on).setAttribute(name, type, shape, resolved);
          }
        });
  }

  void empty(ExpectedTree.Found on, String name, Datatype type) {
    on.object().attributes.put(name, new ExpectedAttribute(type, Optional.empty(), List.of()));
    boolean group = on.object() instanceof ExpectedGroup;
    Attribute attribute = Attribute.empty(name, type);
    plan.accept(
        "null attribute " + on.path() + "@" + name,
        (file, _) -> {
          if (group) {
            group(file, on).setAttribute(attribute);
          } else {
            dataset(file, on).setAttribute(attribute);
          }
        });
  }

  void delete(ExpectedTree.Found on, String name) {
    ExpectedAttribute unused = on.object().attributes.remove(name);
    boolean group = on.object() instanceof ExpectedGroup;
    plan.accept(
        "delete " + on.path() + "@" + name,
        (file, _) -> {
          if (group) {
            group(file, on).deleteAttribute(name);
          } else {
            dataset(file, on).deleteAttribute(name);
          }
        });
  }

  void rename(ExpectedTree.Found on, String from, String to) {
    ExpectedAttribute moved = on.object().attribute(from);
    ExpectedAttribute unused = on.object().attributes.remove(from);
    on.object().attributes.put(to, moved);
    boolean group = on.object() instanceof ExpectedGroup;
    plan.accept(
        "rename " + on.path() + "@" + from + " to " + to,
        (file, _) -> {
          if (group) {
            group(file, on).renameAttribute(from, to);
          } else {
            dataset(file, on).renameAttribute(from, to);
          }
        });
  }

  private static Group group(H5File file, ExpectedTree.Found on) {
    return file.group(on.path());
  }

  private static Dataset dataset(H5File file, ExpectedTree.Found on) {
    return file.dataset(on.path());
  }
}
