package io.skerry.iod.shipper;

import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;

/** Two compute ranks and two I/O ranks, with narrow limits. */
class RemoteConformanceFourRanksTest extends RemoteConformance {
  RemoteConformanceFourRanksTest() {
    super(4, ShipperOptions.DEFAULT.with(2, Placement.Kind.LAST).withLimits(4, 2000, 512, 5000));
  }
}
