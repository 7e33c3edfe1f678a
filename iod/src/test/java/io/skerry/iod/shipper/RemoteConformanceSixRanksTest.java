package io.skerry.iod.shipper;

import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;

/** Six compute ranks, of which three also serve. */
class RemoteConformanceSixRanksTest extends RemoteConformance {
  RemoteConformanceSixRanksTest() {
    super(6, ShipperOptions.DEFAULT.with(3, Placement.Kind.SHARED));
  }
}
